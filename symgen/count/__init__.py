"""Operations of functions beside the literature and other generators."""
