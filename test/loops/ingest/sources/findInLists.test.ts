import { describe, expect, it } from '@jest/globals';
import { CLICK_IDS } from '../../../../loops/ingest/sources/lists/clickIds.ts';
import { findAdSystem, findApp, findHost, findSource, LISTS } from '../../../../loops/ingest/sources/findInLists.ts';

const listed = Object.entries(LISTS).flatMap(([type, list]) => list.map((entry) => ({ type, ...entry })));
const split = (words: string | undefined) => (words === undefined ? [] : words.split(' '));

describe('the lists', () => {
  it.each(['hosts', 'apps'] as const)('contain none of their %s twice', (field) => {
    const all = listed.flatMap((entry) => split(entry[field]));
    expect(all.filter((value, index) => all.indexOf(value) !== index)).toEqual([]);
  });

  it('contain no word of utm_source twice, except for ad systems', () => {
    for (const isAd of [true, false]) {
      const words = listed
        .filter(({ type }) => (type === 'ad') === isAd)
        .flatMap(({ name, aliases }) => [...new Set([name.toLowerCase(), ...split(aliases)])]);
      expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
    }
  });

  it('are written in the form in which they are looked up', () => {
    for (const { hosts, apps, aliases, phrase } of listed) {
      for (const host of split(hosts)) expect(host).toMatch(/^=?(?:[a-z0-9-]+\.)+(?:[a-z]{2,}|\*)$/);
      for (const word of [...split(apps), ...split(aliases)]) expect(word).toBe(word.toLowerCase());
      expect(split(phrase)).not.toContain('');
    }
    for (const parameter of CLICK_IDS.keys()) expect(parameter).toBe(parameter.toLowerCase());
  });

  it('find each of their own hosts and apps', () => {
    for (const { name, hosts, apps } of listed) {
      for (const host of split(hosts))
        expect([host, findHost(host.replace(/^=/, '').replace('*', 'com.tr'))?.name]).toEqual([host, name]);
      for (const app of split(apps)) expect(findApp(app)?.name).toBe(name);
    }
  });

  it('name an advertising system for each paid click id', () => {
    const systems = new Set(LISTS.ad.map(({ name }) => name));
    expect([...CLICK_IDS].filter(([, { type, name }]) => type === 'ad' && !systems.has(name))).toEqual([]);
  });
});

describe('findHost', () => {
  it.each([
    ['google.com', 'Google'],
    ['www.google.co.nz', 'Google'],
    ['maps.google.com', undefined],
    ['a.b.c.vk.com', 'VK'],
    ['vk.com.evil.example', undefined],
    ['com', undefined],
    ['', undefined],
    ['co.uk', undefined],
    ['mail.google.com', 'Gmail'],
    ['www.ya.ru', 'Yandex'],
    ['x.ya.ru', undefined],
    ['pinterest.com.mx', 'Pinterest'],
    ['pinterest.shop', undefined],
  ])('of %s is %s', (host, name) => expect(findHost(host)?.name).toBe(name));

  it('of a host that is longer than names in DNS is nothing', () => {
    const host = `${'a.'.repeat(120)}facebook.com`;
    expect([host.length, findHost(host)?.name]).toEqual([252, 'Facebook']);
    expect(findHost(`a.${host}`)).toBeNull();
  });
});

describe('findSource and findAdSystem', () => {
  it.each([
    ['VK', 'VK'],
    ['vkontakte', 'VK'],
    ['m.vk.com', 'VK'],
    ['Google', 'Google'],
    ['taboola', undefined],
    ['web.archive.org', undefined],
    ['anything', undefined],
  ])('%s is the source %s', (word, name) => {
    expect(findSource(word)?.name).toBe(name);
  });

  it.each([
    ['Yandex', 'Yandex Direct'],
    ['vk.com', 'VK Ads'],
    ['ya.ru', 'Yandex Direct'],
    ['facebook.com', 'Meta Ads'],
    ['example.com', null],
    ['mine', null],
  ])('%s is the system %s', (word, name) => {
    expect(findAdSystem(word)).toBe(name);
  });
});
