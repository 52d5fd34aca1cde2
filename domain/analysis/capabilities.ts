/** The capabilities of analysis providers; each is configured separately (`SPEECH_BASE_URL`, …). */
const PROVIDER_CAPABILITIES = ['speech', 'vision', 'summary', 'moderation', 'embedding'] as const;

export type ProviderCapability = (typeof PROVIDER_CAPABILITIES)[number];

/** All requests to a provider: vectors of pictures have no built-in provider, and settings of their own. */
export const ASKED_CAPABILITIES = [...PROVIDER_CAPABILITIES, 'pictures'] as const;

export type AskedCapability = (typeof ASKED_CAPABILITIES)[number];

/** The result of checking a capability. `builtin`: nothing outside the worker is called. */
export const CHECK_STATES = ['works', 'fails', 'builtin', 'off'] as const;
export type CheckState = (typeof CHECK_STATES)[number];
