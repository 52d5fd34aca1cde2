/**
 * Limits from "Browser tag limits" in the analytics API's document, and those of /collect. Lengths are in Unicode
 * characters.
 */
export const LIMITS = {
  url: 2048,
  title: 1000,
  name: 255,
  selector: 200,
  userId: 191,
  email: 254,
  phone: 32,
  city: 128,
  minAge: 5,
  maxAge: 100,
  children: 10,
  maxChildAge: 17,
  interests: 50,
  interest: 200,
  transactionId: 191,
  products: 200,
  productText: 1000,
  /** Larger amounts are not stored. */
  amount: 1e12,
  quantity: 1e9,
  /** Bytes of JSON in UTF-8. */
  params: 2048,
  userParams: 4096,
  /** A batch has 64 KB at most; sendBeacon and keepalive share the same 64 KB, so some of it is left free. */
  batchBytes: 60_000,
  batchEvents: 50,
  lateMs: 24 * 3600_000,
} as const;

/** Lowercase latin letters, digits, _ and -. */
export const GOAL_CODE = /^[a-z0-9_-]{1,64}$/;

/** Any version, either case. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const TAG_KEY = /^as_[A-Za-z0-9]{24}$/;
