"""Which refusals of valid data are right: a schema says what a request looks like, not what is stored."""

import json
import os
import re

import schemathesis
from schemathesis.core.failures import Failure
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance

# Codes of answers that no schema can rule out.
REASONS = {
    "invalid_cursor": "A cursor is signed, and of one list with one filter.",
    "idempotency_key_reused": "Two cases have the same key and different bodies.",
    "invalid_url": "An address is absolute and public, which only its parts and its host show.",
    "unknown_event_type": "Endpoints may also have types of events of later releases.",
    "contact_erased": "Another case erased the contact.",
    "version_conflict": "The version in If-Match is not the current one.",
    "invalid_json": "A text of the body has U+0000 or half a surrogate pair.",
    "payload_too_large": "The texts of the body are each short enough, and together too long.",
    "headers_too_large": "The URL and the headers are together too long.",
}

# Codes of fields that a schema does rule out: where they appear, the schema is wrong.
OF_SCHEMAS = {
    "wrong_type",
    "too_long",
    "too_short",
    "too_many",
    "too_few",
    "duplicate",
    "out_of_range",
    "invalid_name",
    "invalid",
}


# Headers that coverage cases fill with 0, whatever their pattern is.
OF_HEADERS = {"If-Match"}

# Refusals of one operation: its id, the field without indexes, and the code.
OF_OPERATIONS = {
    # Entries, emails and phones count together.
    ("importSuppressions", "entries", "too_many"),
    # No schema says that items differ in one of their fields.
    ("createCampaign", "variants[].key", "duplicate"),
    ("updateCampaign", "variants[].key", "duplicate"),
    *(
        (operation, field, "duplicate")
        for operation in ("createForm", "updateForm")
        for field in ("fields[].key", "fields[].maps_to", "fields[].options", "honeypot_field")
    ),
}


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Replaces made-up positions: a read waits for a position that the log does not have yet, and the answer is then a 503."""
    for name in [name for name in case.headers or {} if name.lower() == "x-service-min-position"]:
        if re.fullmatch("[0-9]{20}", str(case.headers[name])):
            case.headers[name] = "0" * 20
    # Revoked, its own key would turn all later answers into 401.
    if (case.path_parameters or {}).get("id") == os.environ["OWN_KEY_ID"]:
        case.path_parameters["id"] = "key_" + "0" * 26


@schemathesis.check
def valid_data_is_refused_for_a_reason(ctx, response, case):
    """`positive_data_acceptance`, but for refusals that a schema cannot express."""
    try:
        return positive_data_acceptance(ctx, response, case)
    except Failure:
        if not is_explained(response, case.operation.definition.raw.get("operationId")):
            raise
        return True


@schemathesis.check
def invalid_data_is_refused(ctx, response, case):
    """`negative_data_rejection`, but for bodies of text, whose schema allows any text, and for answers that list each invalid item."""
    try:
        return negative_data_rejection(ctx, response, case)
    except Failure:
        if case.media_type != "text/csv" and not lists_problems(response):
            raise
        return True


def lists_problems(response):
    try:
        return bool(response.json().get("errors"))
    except (AttributeError, json.JSONDecodeError, UnicodeDecodeError):
        return False


def is_explained(response, operation):
    try:
        answer = response.json()
    except (json.JSONDecodeError, UnicodeDecodeError):
        return False
    if answer.get("code") in REASONS:
        return True
    errors = answer.get("errors", [])
    if answer.get("code") == "invalid_parameter":
        # Without a field: a URL or a form that cannot be decoded, such as one with U+0000.
        return all(error.get("field") in {"", *OF_HEADERS} or error.get("code") not in {*OF_SCHEMAS, "invalid_format"} for error in errors)
    if answer.get("code") == "validation_error":
        return bool(errors) and all(
            error.get("code") not in OF_SCHEMAS
            or (operation, re.sub(r"\[[0-9]+\]", "[]", error.get("field", "")), error.get("code")) in OF_OPERATIONS
            for error in errors
        )
    return False
