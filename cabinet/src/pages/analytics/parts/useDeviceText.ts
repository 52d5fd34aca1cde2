import type { Visit } from '../../../data/sites/visitors.ts';
import { usePreferences } from '../../../words/preferences.tsx';

/** Returns a function that describes the device and place of a visit; empty if unknown. */
export function useDeviceText(): (visit: Visit) => string {
  const { language, words } = usePreferences();
  return ({ device_type: type, browser, city, country }) => {
    const device = words.codes.device_type[type as keyof typeof words.codes.device_type];
    const place = city ?? (country !== null && /^[A-Z]{2}$/.test(country) ? countryIn(language, country) : null);
    return [device, browser, place].filter((part) => part !== undefined && part !== null).join(', ');
  };
}

function countryIn(language: string, code: string): string | undefined {
  return new Intl.DisplayNames(language, { type: 'region' }).of(code);
}
