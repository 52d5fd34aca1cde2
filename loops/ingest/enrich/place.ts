/** Locates an address: the country from the bundled database, region and city from one that the operator provides. */
import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import maxmind, { type Reader, type Response } from 'maxmind';
import type { Place } from '../../../domain/reports/lakeRows.ts';
import { continentOf } from './continents.ts';

export const NOWHERE: Place = { continent: null, country: null, region: null, city: null };

/** Public domain (CC0): the registries' data on networks and countries, IPv4 and IPv6 in one file. */
const COUNTRY_DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';

type Names = { names?: { en?: string } } | string | undefined;

/** A record in either common layout: nested (GeoLite2-City, DB-IP) or flat (the packages of ip-location-db). */
interface PlaceRecord {
  country?: { iso_code?: string };
  country_code?: string;
  continent?: { code?: string };
  subdivisions?: Names[];
  state1?: string;
  city?: Names;
}

export interface PlaceReader {
  /** Returns {@link NOWHERE} for private, reserved and unknown addresses, and for text that is not an address. */
  place(ip: string): Place;
}

/**
 * @param cityDatabase path of an .mmdb file, or null for countries only.
 * @throws when a file is missing or is not such a database.
 */
export async function openPlaces(cityDatabase: string | null): Promise<PlaceReader> {
  const countries = await openDatabase(createRequire(import.meta.url).resolve(COUNTRY_DATABASE));
  const cities = cityDatabase === null ? null : await openDatabase(cityDatabase);
  return {
    place(ip) {
      const address = publicAddress(ip);
      if (address === null) return NOWHERE;
      const place = cities === null ? NOWHERE : placeOf(cities.get(address) as PlaceRecord | null);
      // All parts of a place are read from one database: two might put a city into the wrong country.
      return place.country === null ? placeOf(countries.get(address) as PlaceRecord | null) : place;
    },
  };
}

async function openDatabase(path: string): Promise<Reader<Response>> {
  try {
    return await maxmind.open<Response>(path);
  } catch (error) {
    throw new Error(`"${path}" is not a database of places in the MaxMind DB format`, { cause: error });
  }
}

/** Returns a public address, IPv4 in its own form even when mapped into IPv6; null for any other address. */
function publicAddress(ip: string): string | null {
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return null;
  const address = ipaddr.process(ip);
  return address.range() === 'unicast' ? address.toString() : null;
}

function placeOf(record: PlaceRecord | null): Place {
  const country = record?.country?.iso_code ?? record?.country_code;
  if (record === null || country === undefined || country === '') return NOWHERE;
  return {
    continent: record.continent?.code ?? continentOf(country),
    country,
    region: english(record.subdivisions?.[0]) ?? english(record.state1),
    city: english(record.city),
  };
}

function english(names: Names): string | null {
  const name = typeof names === 'string' ? names : names?.names?.en;
  return name === undefined || name === '' ? null : name;
}
