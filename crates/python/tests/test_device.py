"""The accuracy card, and the examination of devices."""

import pytest

import quadrille_gl as q


def test_a_card_has_what_the_command_prints() -> None:
    with q.Context("llvmpipe") as context:
        card = q.card(seed=3)
        assert (card.device, card.seed, card.stopped) == (context.renderer, 3, False)
        assert "fragment" in str(card.engines).lower()
    rows = [row for row in card.accuracy if row.operation == "a + b"]
    # IEEE 754 rounds sums to the nearest.
    assert rows and all(row.max_ulps <= 0.5 for row in rows)
    assert any(verdict.care for section in card.verdicts for verdict in section.verdicts)
    assert dict(card)["seed"] == 3 and "accuracy" in card.keys()
    with pytest.raises(AttributeError, match="there is no field `colour`; there are: device, api"):
        card.colour


def test_a_card_is_stopped() -> None:
    def tell(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        q.card(progress=tell)


def test_the_doctor_finds_this_device_right() -> None:
    found = q.doctor()
    assert [(device.index, device.label) for device in found.devices] == [(device.index, device.label) for device in q.devices()]
    assert found.working > 0 and found.default is not None
    software = [context for device in found.devices for context in device.contexts if context.found and context.found.software]
    assert software
    for context in software:
        assert context.proofs and all(proof.right for proof in context.proofs)
    assert "devices" in repr(found)
