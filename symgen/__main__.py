"""`python -m symgen`: the command line."""

from symgen.cli import main

if __name__ == "__main__":
    main()
