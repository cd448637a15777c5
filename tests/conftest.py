"""Settings of all tests."""

from hypothesis import HealthCheck, settings

# No test asserts a time, and machines differ.
settings.register_profile("any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any-machine")
