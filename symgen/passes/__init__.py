"""Program → Program, one file each."""
