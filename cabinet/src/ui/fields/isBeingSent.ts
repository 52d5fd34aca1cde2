/**
 * Returns whether a form waits for the answer to its submission. Browsers submit a form with a single text field when
 * Enter is pressed in it, even while its button is pending.
 */
export function isBeingSent(form: HTMLFormElement | null): boolean {
  // A pending button is no submit button. Another button, which tries something out, may be pending by itself.
  return form !== null && form.querySelector('[data-pending]') !== null && !form.querySelector('[type="submit"]');
}
