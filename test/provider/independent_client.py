"""An independent reading of the HTTP profile, in Python's standard library only.

verify SECRET_FILE          raw request bytes on stdin -> prints the MAC recomputed from them
send SECRET_FILE PORT PATH  body on stdin (GET if empty) -> signs and sends by itself, prints status and body
"""
import base64, hashlib, hmac, json, secrets, socket, sys, time

PROFILE = "atmem-hmac-sha256-v1"


def mac(secret, fields, body):
    lines = [PROFILE, *fields, hashlib.sha256(body).hexdigest()]
    return hmac.new(secret, "".join(line + "\n" for line in lines).encode("ascii"), hashlib.sha256).hexdigest()


def verify(secret, raw):
    head, body = raw.split(b"\r\n\r\n", 1)
    request_line, *header_lines = head.decode("latin-1").split("\r\n")
    method, target, _version = request_line.split(" ")
    headers = dict(line.split(": ", 1) for line in header_lines)
    names = ["Provider", "Instance", "Key-Id", "Issued", "Expires", "Nonce"]
    fields = [method, headers["Host"], target, *(headers["X-AtMem-" + name] for name in names)]
    return {"mac": mac(secret, fields, body), "claimed": headers["X-AtMem-Signature"]}


def send(secret, port, target, body):
    method = "POST" if body else "GET"
    host, issued, nonce = f"127.0.0.1:{port}", int(time.time()), secrets.token_hex(32)
    values = ["context-provider", "local", "req-1", str(issued), str(issued + 20), nonce]
    signature = mac(secret, [method, host, target, *values], body)
    names = ["Provider", "Instance", "Key-Id", "Issued", "Expires", "Nonce"]
    lines = [f"{method} {target} HTTP/1.0", f"Host: {host}", f"X-AtMem-Profile: {PROFILE}"]
    lines += [f"X-AtMem-{name}: {value}" for name, value in zip(names, values)]
    lines += [f"X-AtMem-Signature: {signature}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode("ascii") + body)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    head, content = answer.split(b"\r\n\r\n", 1)
    return {"status": int(head.split(b" ")[1]), "body": content.decode("utf-8")}


mode, secret_file, *rest = sys.argv[1:]
with open(secret_file, encoding="ascii") as file:
    secret = base64.b64decode(file.read(), validate=True)
stdin = sys.stdin.buffer.read()
print(json.dumps(verify(secret, stdin) if mode == "verify" else send(secret, int(rest[0]), rest[1], stdin)))
