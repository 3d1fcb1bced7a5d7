"""How C is compiled where only what it computes is looked at."""

NOT_INLINED = "-Dalways_inline=unused"
"""What makes compilers disregard that batches ask to be inlined, which takes eight times as long."""

QUICKLY = f"-O0 {NOT_INLINED}"
