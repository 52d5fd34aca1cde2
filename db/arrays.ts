/** Arrays as parameters of bulk statements. */

/**
 * The values as an array's literal. The driver writes one too, but judges value by value; for a
 * thousand events that is a tenth of what the API does. JSON's own writer makes the same literal as
 * long as nothing had to be escaped; else the driver is left to it.
 */
export function arrayParameter(
  values: readonly (string | number | null)[],
): string | readonly (string | number | null)[] {
  const json = JSON.stringify(values);
  return json.includes('\\') ? values : `{${json.slice(1, -1)}}`;
}
