/** Alerts for webhooks that have failed for a long time. */

/** How long an enabled webhook has failed. */
export const WEBHOOK_ALERTS = ['failing_1h', 'failing_24h'] as const;
export type WebhookAlert = (typeof WEBHOOK_ALERTS)[number];

/** Hours without a 2xx after which each alert is raised. */
export const ALERT_AFTER_HOURS: Readonly<Record<WebhookAlert, number>> = { failing_1h: 1, failing_24h: 24 };
