module hashdyno/runner

go 1.18
