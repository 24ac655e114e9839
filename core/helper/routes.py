"""Which service answers which request.

The modules of services are quick to import: whatever is heavy, each imports where it is used.
"""

from collections.abc import Mapping
from inspect import signature
from typing import Any

from core.api.requests import Request
from core.services import (
    backups,
    contribution,
    deck_preview,
    deck_service,
    devices,
    exam,
    exports,
    hosting,
    invited_decks,
    invites,
    maintenance,
    model_list,
    models,
    round_times,
    skills,
    try_out,
    updates,
)
from core.services.service import Service


def _by_request(*services: Service[Any]) -> Mapping[type[Request], Service[Any]]:
    """``services`` by the type of request that each takes as its first parameter."""
    return {next(iter(signature(one).parameters.values())).annotation: one for one in services}


ROUTES = _by_request(
    backups.remove_backup,
    backups.reset_model,
    backups.restore_model,
    contribution.export_contribution,
    contribution.show_contribution,
    contribution.show_history,
    deck_preview.preview_deck,
    deck_service.export_deck,
    deck_service.keep_deck,
    deck_service.look_at_deck,
    deck_service.remove_deck,
    deck_service.show_decks,
    deck_service.try_deck_on_request,
    devices.list_cards,
    exam.take_exam_on_request,
    exports.export_model,
    hosting.host_hub,
    invited_decks.offers.adopt,
    invited_decks.offers.fetch,
    invites.check_hub,
    invites.make_invite,
    invites.show_invite,
    invites.show_swarm,
    maintenance.back_up_identity,
    maintenance.list_programs,
    maintenance.look_around,
    maintenance.make_support_file,
    maintenance.measure_folders,
    maintenance.remove_everything,
    maintenance.restore_identity,
    maintenance.set_autostart,
    maintenance.show_autostart,
    model_list.list_models,
    model_list.look_up_model,
    models.fetch_model,
    models.forget_hub_token,
    models.remove_model,
    models.remove_part,
    models.set_hub_token,
    models.show_hub_token,
    models.verify_model,
    round_times.measure_round,
    skills.show_skills,
    try_out.show_practice,
    try_out.try_model,
    updates.get_update,
    updates.look_for_update,
    updates.show_updates,
)
