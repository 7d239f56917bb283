# cargo knows what has changed, so it is asked every time.
.PHONY: hashdyno-library
$(HASHDYNO_LIBRARY): hashdyno-library
hashdyno-library:
	$(CARGO) build --release --locked --manifest-path $(HASHDYNO_MANIFEST) --target-dir $(HASHDYNO_TARGET)
