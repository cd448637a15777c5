# The bundled sample on real engines: each starts everything from nothing, runs, and takes it down again.
# Flink and Spark need Java 17 and Maven, Prism a Go toolchain; what they fetch is kept in .cache.

ENGINE_OUTPUT ?= demo-out
ENGINE_RUN = pipelines/warc_to_xml.py --input samples/pages.warc.gz --overwrite --output

.PHONY: flink spark prism

flink: $(INSTALLED)
	$(BIN)/python templates/flink/flink.py -- $(ENGINE_RUN) $(ENGINE_OUTPUT)/flink

spark: $(INSTALLED)
	$(BIN)/python templates/spark/spark.py -- $(ENGINE_RUN) $(ENGINE_OUTPUT)/spark

prism: $(INSTALLED)
	$(BIN)/python templates/prism/prism.py -- $(ENGINE_RUN) $(ENGINE_OUTPUT)/prism
