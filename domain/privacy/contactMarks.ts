/** The texts that replace e-mail addresses and telephone numbers. */

export const EMAIL_MARK = '[email]';
export const PHONE_MARK = '[phone]';
