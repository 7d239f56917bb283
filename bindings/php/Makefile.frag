# cargo knows what has changed, so it is asked every time. The empty recipe has make look at the
# library again when cargo is done.
.PHONY: hashdyno-library
$(HASHDYNO_LIBRARY): hashdyno-library ;
hashdyno-library:
	$(CARGO) build --release --locked --manifest-path $(HASHDYNO_MANIFEST) \
	    --target-dir $(HASHDYNO_TARGET)
