"""The page's script, in parts that need nothing else; `symgen.report.live` puts them together."""
