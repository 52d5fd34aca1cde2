#!/bin/sh
# Runs until it is stopped; the arguments do not matter.
exec tail -f /dev/null
