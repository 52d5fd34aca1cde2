/** What an analysis provider can do; each is configured on its own (`SPEECH_BASE_URL`, …). */
export const PROVIDER_CAPABILITIES = ['speech', 'vision', 'summary', 'moderation', 'embedding'] as const;

export type ProviderCapability = (typeof PROVIDER_CAPABILITIES)[number];
