"""What ``waggle doctor`` sees of the sensors: which of the rules can do anything here."""

from core.api.maintenance import Finding
from core.sensors.senses import Senses
from core.services.findings import found


def check_sensors(senses: Senses) -> list[Finding]:
    """A finding a sensor; none of them is needed, a rule without a sensor never pauses."""
    return [
        found(about, reading.words, ok=reading.value is not None, needed=False)
        for about, reading in senses.tell().items()
    ]
