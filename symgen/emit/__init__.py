"""Program → text, one folder per target."""
