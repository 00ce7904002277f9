"""What a newcomer sees first: what `interlock` alone prints, and the tour."""
