#!/usr/bin/env python3
"""A second verifier of evidence exports, written from docs/evidence.md ("How to check a file") alone.

    verify_export.py FILE PUBLIC_KEY_BASE64

Prints one JSON object. Exit 0: whole. 1: not; "line" and "fault" are the verdict. 2: the arguments are wrong.
Needs Python 3.9 or later and `cryptography` (Debian: python3-cryptography).
"""
import base64
import binascii
import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAX_LINE_BYTES = 4_194_304
RECORD_DOMAIN = b"DELEGATED-CONTEXT-EVIDENCE-V1\0"
HEAD_DOMAIN = b"DELEGATED-CONTEXT-EVIDENCE-HEAD-V1\0"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
FLIGHT = "urn:openclaw-delegated-context:predicate:flight:v1"
EXPORT = "urn:openclaw-delegated-context:predicate:export:v1"
KINDS = {"provider.authorization", "atmem.delivery", "context.exposure", "turn.event", "operator.action"}


class Malformed(Exception):
    """Not strict JSON, not base64, or not of the form."""


class Fault(Exception):
    """The verdict on the line that is being read."""


# --- strict JSON and base64 -------------------------------------------------------------------------------------


def no_duplicates(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Malformed("duplicate key")
    return members


def plain_integer(text):
    if text == "-0" or len(text) > 17 or abs(int(text)) > 2**53 - 1:
        raise Malformed("number")
    return int(text)


def refuse(_text):
    raise Malformed("number")


def strict_json(data, max_values):
    try:
        text = data.decode("utf-8")
        if text.startswith("\ufeff"):
            raise Malformed("byte order mark")
        value = json.loads(
            text, object_pairs_hook=no_duplicates, parse_int=plain_integer, parse_float=refuse, parse_constant=refuse
        )
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Malformed("json") from error
    if count_values(value, 0) > max_values:
        raise Malformed("too many values")
    return value


def count_values(value, depth):
    if isinstance(value, str):
        well_formed(value)
    if not isinstance(value, (dict, list)):
        return 1
    if depth == 16:
        raise Malformed("too deep")
    if isinstance(value, dict):
        for key in value:
            well_formed(key)
    items = value.values() if isinstance(value, dict) else value
    return 1 + sum(count_values(item, depth + 1) for item in items)


def well_formed(text):
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Malformed("lone surrogate") from error


def strict_base64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise Malformed("base64") from error
    if base64.b64encode(data).decode("ascii") != text:
        raise Malformed("base64")
    return data


# --- forms ------------------------------------------------------------------------------------------------------


def need(condition):
    if not condition:
        raise Malformed("form")


def closed(value, **members):
    need(isinstance(value, dict) and set(value) == set(members))
    for name, form in members.items():
        form(value[name])


def matches(pattern):
    return lambda value: need(isinstance(value, str) and re.fullmatch(pattern, value) is not None)


def integer_from(least):
    def form(value):
        need(type(value) is int and (least is None or value >= least))

    return form


def text_of(least, most):
    return lambda value: need(isinstance(value, str) and least <= len(value) <= most)


def one_of(*values):
    return lambda value: need(isinstance(value, str) and value in values)


def or_null(form):
    return lambda value: None if value is None else form(value)


def array_of(least, most, form):
    def check(value):
        need(isinstance(value, list) and least <= len(value) <= most)
        for item in value:
            form(item)

    return check


def an_object(**members):
    return lambda value: closed(value, **members)


HEX64 = matches("[0-9a-f]{64}")
SIGNATURE = matches("[A-Za-z0-9+/]{86}==")
SEQ = integer_from(1)
COUNT = integer_from(0)
TIME = integer_from(None)
ID = text_of(1, 256)
CODE = or_null(matches("[a-z][a-z0-9_]{0,63}"))
EXPORT_ID = matches("[0-9a-f]{32}")
HEAD = or_null(an_object(seq=SEQ, hash=HEX64, at_ms=TIME, key_id=HEX64, signature=SIGNATURE))
BINDING = an_object(run_id=ID, turn_id=ID, session_id=ID, agent_id=ID, user_id=ID, workspace_id=ID)
SELECTION = an_object(
    workspace_id=or_null(ID),
    agent_id=or_null(ID),
    user_id=or_null(ID),
    run_id=or_null(ID),
    since_ms=or_null(TIME),
    until_ms=or_null(TIME),
)


def stage(*states):
    return or_null(an_object(state=one_of(*states), code=CODE))


STAGES = an_object(
    **{
        "provider.authorization": stage("verified", "withheld", "rejected"),
        "atmem.delivery": stage("pending", "injected", "not_injected", "failed"),
    }
)


def statement(predicate_type, names, predicate):
    subject = an_object(name=one_of(*names), digest=an_object(sha256=HEX64))
    return an_object(
        _type=one_of(STATEMENT_TYPE),
        subject=array_of(1, 1, subject),
        predicateType=one_of(predicate_type),
        predicate=predicate,
    )


ENVELOPE = an_object(
    payload=text_of(4, MAX_LINE_BYTES),
    payloadType=one_of(PAYLOAD_TYPE),
    signatures=array_of(1, 1, an_object(keyid=HEX64, sig=SIGNATURE)),
)
FLIGHT_STATEMENT = statement(
    FLIGHT,
    ["context", "turn"],
    an_object(
        export_id=EXPORT_ID,
        line=SEQ,
        opened_seq=SEQ,
        turn_key=HEX64,
        run_id=or_null(ID),
        binding=or_null(BINDING),
        stages=STAGES,
        records=array_of(1, 8192, an_object(seq=SEQ, hash=HEX64, text=text_of(2, 131_072))),
        head=HEAD,
    ),
)
EXPORT_STATEMENT = statement(
    EXPORT,
    ["lines"],
    an_object(
        export_id=EXPORT_ID,
        line=SEQ,
        created_at_ms=TIME,
        selection=SELECTION,
        turns=COUNT,
        records=COUNT,
        lines_sha256=HEX64,
        first_seq=or_null(SEQ),
        last_seq=or_null(SEQ),
        log=an_object(last_seq=COUNT, last_hash=HEX64, removed=COUNT),
        head=HEAD,
    ),
)
RECORD = an_object(
    seq=SEQ,
    at_ms=TIME,
    kind=one_of(*KINDS),
    turn_key=HEX64,
    previous_hash=HEX64,
    body=lambda value: need(isinstance(value, dict)),
)


def fits(form, value):
    try:
        form(value)
    except Malformed:
        return False
    return True


# --- the check --------------------------------------------------------------------------------------------------


def canonical(value):
    """RFC 8785 for what stands here: ASCII keys, integers."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def same(one, other):
    # 1 == True in Python, not in JSON.
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
ORDER_8_Y = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
SMALL_ORDER_Y = {0, 1, P - 1, ORDER_8_Y, P - ORDER_8_Y}


def admissible_y(encoded):
    """Canonical, and of none of the points of small order: for those a signature proves nothing."""
    y = int.from_bytes(encoded, "little") % 2**255
    return y < P and y not in SMALL_ORDER_Y


def admissible_key(encoded):
    if len(encoded) != 32 or not admissible_y(encoded):
        return False
    y = int.from_bytes(encoded, "little") % 2**255
    # The point's x^2 (RFC 8032, 5.1.3) must be a square; x = 0 is of small order.
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    return pow(x2, (P - 1) // 2, P) == 1


class Verifier:
    def __init__(self, public_key):
        if not admissible_key(public_key):
            raise ValueError("no admissible Ed25519 public key")
        self.key = Ed25519PublicKey.from_public_bytes(public_key)
        self.key_id = hashlib.sha256(public_key).hexdigest()
        self.claims = {0: "0" * 64}
        self.floor = 0
        self.opened = 0
        self.gone = 0
        self.turn_keys = set()
        self.digest = hashlib.sha256()
        self.export_id = None
        self.line = 0
        self.records = 0
        self.first_seq = None
        self.last_seq = None
        self.end = None

    def signed(self, message, signature):
        try:
            raw = strict_base64(signature)
            if not admissible_y(raw[:32]):
                return False
            self.key.verify(raw, message)
        except (InvalidSignature, Malformed):
            return False
        return True

    def claim(self, seq, hash_):
        if seq < self.floor:
            return True
        return self.claims.setdefault(seq, hash_) == hash_

    def read(self, data):
        """One line with its LF, if it has one."""
        self.line += 1
        if self.end is not None:
            raise Fault("data_after_end")
        has_line_feed = data.endswith(b"\n")
        line = data[:-1] if has_line_feed else data
        if len(line) > MAX_LINE_BYTES:
            raise Fault("line_too_long")
        if not has_line_feed:
            raise Fault("line_cut")
        try:
            envelope = strict_json(line, 16)
            ENVELOPE(envelope)
            payload = strict_base64(envelope["payload"])
        except Malformed as error:
            raise Fault("envelope_malformed") from error
        signature = envelope["signatures"][0]
        if signature["keyid"] != self.key_id:
            raise Fault("unknown_key")
        message = b"DSSEv1 28 application/vnd.in-toto+json %d " % len(payload) + payload
        if not self.signed(message, signature["sig"]):
            raise Fault("envelope_not_signed")
        try:
            value = strict_json(payload, 33_024)
        except Malformed as error:
            raise Fault("statement_malformed") from error
        if fits(EXPORT_STATEMENT, value):
            self.closing_line(value)
            return
        if not fits(FLIGHT_STATEMENT, value):
            raise Fault("statement_malformed")
        self.turn(value)
        self.digest.update(data)

    def place(self, predicate):
        if self.export_id is None:
            self.export_id = predicate["export_id"]
        if predicate["export_id"] != self.export_id:
            raise Fault("line_of_another_export")
        if predicate["line"] != self.line:
            raise Fault("line_out_of_place")

    def turn(self, value):
        predicate = value["predicate"]
        self.place(predicate)
        if predicate["opened_seq"] <= self.opened:
            raise Fault("line_out_of_place")
        turn_key = bytes.fromhex(predicate["turn_key"])
        if turn_key in self.turn_keys:
            raise Fault("line_out_of_place")
        self.turn_keys.add(turn_key)
        self.opened = predicate["opened_seq"]
        if predicate["records"][0]["seq"] != self.opened:
            self.gone = self.opened
        self.floor = max(0, self.opened - 512)
        records = []
        for stated in predicate["records"]:
            record = self.record(stated)
            previous = records[-1]["seq"] if records else 0
            if record["seq"] != stated["seq"] or record["turn_key"] != predicate["turn_key"]:
                raise Fault("record_out_of_place")
            if record["seq"] < self.opened or record["seq"] <= previous:
                raise Fault("record_out_of_place")
            if not self.claim(record["seq"] - 1, record["previous_hash"]):
                raise Fault("link_broken")
            if not self.claim(record["seq"], stated["hash"]):
                raise Fault("link_broken")
            records.append(record)
            self.records += 1
            self.first_seq = record["seq"] if self.first_seq is None else min(self.first_seq, record["seq"])
            self.last_seq = record["seq"] if self.last_seq is None else max(self.last_seq, record["seq"])
        if predicate["head"] is not None and predicate["head"]["seq"] < records[-1]["seq"]:
            raise Fault("head_does_not_fit")
        self.head(predicate["head"])
        self.summary(predicate, value["subject"], records)

    def record(self, stated):
        text = stated["text"].encode("utf-8")
        if hashlib.sha256(RECORD_DOMAIN + text).hexdigest() != stated["hash"]:
            raise Fault("record_changed")
        try:
            record = strict_json(text, 10_000)
            RECORD(record)
        except Malformed as error:
            raise Fault("record_changed") from error
        return record

    def head(self, head):
        if head is None:
            return
        if not self.claim(head["seq"], head["hash"]):
            raise Fault("head_does_not_fit")
        if head["key_id"] != self.key_id:
            raise Fault("unknown_key")
        message = {name: head[name] for name in ("at_ms", "hash", "key_id", "seq")}
        if not self.signed(HEAD_DOMAIN + canonical(message), head["signature"]):
            raise Fault("head_not_signed")

    def summary(self, predicate, subject, records):
        authorized = None
        delivery = None
        without_effect = None
        whole = records[0]["seq"] == predicate["opened_seq"]
        for record in records:
            body = record["body"]
            if record["kind"] == "provider.authorization":
                refusal = body.get("state") == "rejected"
                if authorized is None:
                    counts = not refusal or whole
                else:
                    counts = authorized.get("state") == "rejected"
                if counts:
                    authorized = body
                    if whole:
                        delivery = {"state": "not_injected", "code": None}
                elif refusal and body.get("code") != "turn":
                    without_effect = record["seq"] + 1
            elif record["kind"] == "atmem.delivery" and record["seq"] != without_effect:
                before = delivery or {}
                looked = before.get("state") == "failed" and before.get("code") != "confirm_unobserved"
                unseen = looked and body.get("state") == "not_injected"
                if before.get("state") != "injected" and not unseen:
                    delivery = body
        told = authorized or {}
        binding = told.get("binding")
        run_id = binding.get("run_id") if isinstance(binding, dict) else None
        if run_id is None:
            run_id = told.get("host_run_id")
        context = told.get("context_sha256")
        digest = predicate["turn_key"] if context is None else context
        follows = {
            "run_id": run_id,
            "binding": binding,
            "stages": {
                "provider.authorization": self.stage(authorized),
                "atmem.delivery": self.stage(delivery),
            },
            "subject": [{"name": "turn" if context is None else "context", "digest": {"sha256": digest}}],
        }
        stated = {name: predicate[name] for name in ("run_id", "binding", "stages")}
        if not same({**stated, "subject": subject}, follows):
            raise Fault("summary_does_not_follow")
        if binding is not None and hashlib.sha256(canonical(binding)).hexdigest() != predicate["turn_key"]:
            raise Fault("summary_does_not_follow")

    @staticmethod
    def stage(body):
        return None if body is None else {"state": body.get("state"), "code": body.get("code")}

    def closing_line(self, value):
        predicate = value["predicate"]
        self.place(predicate)
        counted = [self.line - 1, self.records, self.first_seq, self.last_seq]
        if [predicate[name] for name in ("turns", "records", "first_seq", "last_seq")] != counted:
            raise Fault("counts_do_not_fit")
        log = predicate["log"]
        first_seq = predicate["first_seq"]
        if log["removed"] > log["last_seq"] or (first_seq is not None and log["removed"] >= first_seq):
            raise Fault("counts_do_not_fit")
        if self.gone > log["removed"]:
            raise Fault("counts_do_not_fit")
        digest = self.digest.hexdigest()
        if predicate["lines_sha256"] != digest or value["subject"][0]["digest"]["sha256"] != digest:
            raise Fault("lines_do_not_match")
        if log["last_seq"] < (predicate["last_seq"] or 0) or not self.claim(log["last_seq"], log["last_hash"]):
            raise Fault("link_broken")
        if predicate["head"] is not None and predicate["head"]["seq"] > log["last_seq"]:
            raise Fault("head_does_not_fit")
        self.head(predicate["head"])
        self.end = predicate


def verify(path, public_key):
    verifier = Verifier(public_key)
    try:
        with open(path, "rb") as file:
            # One byte more than a line and its LF may have.
            while data := file.readline(MAX_LINE_BYTES + 2):
                verifier.read(data)
        if verifier.end is None:
            verifier.line += 1
            raise Fault("end_missing")
    except Fault as fault:
        return {"whole": False, "line": verifier.line, "fault": str(fault)}
    return {"whole": True, "turns": verifier.line - 1, "records": verifier.records}


def main(words):
    if len(words) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        verdict = verify(words[0], strict_base64(words[1]))
    except (OSError, Malformed, ValueError) as error:
        print(f"verify_export.py: {error}", file=sys.stderr)
        return 2
    print(json.dumps(verdict))
    return 0 if verdict["whole"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
