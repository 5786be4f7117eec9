import ipaddr from 'ipaddr.js';
import type { LimitOverrides } from '../../../api/http/access/rate-limits.js';
import { NAMED_NETWORKS } from '../../../api/http/server/client-address.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { Limit } from '../../../domain/kernel/rate-limits.js';
import { parseUrl } from '../../../domain/kernel/urls.js';

/** Parsers of configuration values: each takes the text of a variable and returns its value, or throws InvalidValue. */

/** The text is not allowed. The message has the reason, if it adds to the variable's `allowed` line. */
export class InvalidValue extends Error {
  override readonly name = 'WrongValue';
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `250ms`, `30s`, `5m`, `2h`, `1d` in milliseconds. */
export function durationValue(text: string): number {
  const found = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  const unit = ownField(UNIT_MS, found?.[2] ?? '');
  if (!found || unit === undefined) throw new InvalidValue(`'${text.trim()}' is not a duration`);
  return Number(found[1]) * unit;
}

/** A duration from one number of milliseconds to another. */
export const durationOf =
  (from: number, to: number) =>
  (text: string): number => {
    const ms = durationValue(text);
    if (ms < from || ms > to) throw new InvalidValue();
    return ms;
  };

/** `64MB`, `2GB` in bytes (of 1,024 × 1,024 and so on); the bounds are in MB. */
export const megabytes =
  (from: number, to: number) =>
  (text: string): number => {
    const found = /^(\d{1,9})(MB|GB)$/i.exec(text.trim());
    const size = Number(found?.[1]) * (found?.[2]?.toUpperCase() === 'GB' ? 1024 : 1);
    if (!found || size < from || size > to) throw new InvalidValue();
    return size * 1024 * 1024;
  };

export const integerValue =
  (from: number, to: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < from || value > to) throw new InvalidValue();
    return value;
  };

export const oneOfValues =
  <const W extends string>(words: readonly W[]) =>
  (text: string): W => {
    if (!(words as readonly string[]).includes(text)) throw new InvalidValue();
    return text as W;
  };

/** A list separated by commas; white space around an item is ignored. */
export const listValue =
  <T>(item: (text: string) => T, bounds: { min: number; max: number; distinct?: true }) =>
  (text: string): readonly T[] => {
    const items = text.split(',').map((part) => item(part.trim()));
    if (items.length < bounds.min || items.length > bounds.max) throw new InvalidValue(`${items.length} values`);
    if (bounds.distinct && new Set(items).size !== items.length) throw new InvalidValue('a value occurs twice');
    return items;
  };

/** A network in CIDR form, IPv4 or IPv6; a bare address is a network of one. */
export function cidr(text: string): string {
  const network = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(network)) throw new InvalidValue(`'${text}' is not a network`);
  return network;
}

/** A name server: an address, with or without a port. */
export function nameServer(text: string): string {
  const [, bare, bracketed, port] = /^(?:([^[\]]+?)|\[([^[\]]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = bracketed ?? bare ?? '';
  if (ipaddr.isValid(text)) return text;
  if (!ipaddr.isValid(address) || Number(port ?? 53) > 65_535) throw new InvalidValue(`'${text}' is not the address of a name server`);
  return text;
}

/**
 * Which proxies' `X-Forwarded-For` is trusted: none, a number of hops, or named networks. `true` (all) is not allowed:
 * callers could then choose the address that rate limits count.
 */
export function trustProxy(text: string): false | number | readonly string[] {
  if (text === 'none') return false;
  if (/^\d{1,2}$/.test(text)) return integerValue(1, 20)(text);
  return text.split(',').map((part) => (Object.hasOwn(NAMED_NETWORKS, part.trim()) ? part.trim() : cidr(part.trim())));
}

/** A public base URL: http or https, no user, query or fragment; returned without a slash at the end. */
export function publicUrl(text: string): string {
  if (!parseUrl(text)) throw new InvalidValue();
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) throw new InvalidValue();
  return url.href.replace(/\/+$/, '');
}

/** `*`, or an origin as browsers send it: scheme, host and, if it is not the usual one, port. */
export function corsOrigin(text: string): string {
  if (text === '*') return text;
  if (!/^https?:\/\//.test(text) || parseUrl(text)?.origin !== text) throw new InvalidValue(`'${text}' is not an origin`);
  return text;
}

export function accountId(text: string): string {
  if (!/^acc_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)) throw new InvalidValue(`'${text}' is not the id of an account`);
  return text;
}

/** The address of a server. Only the scheme is checked: the address may name several hosts, which `URL` does not accept. */
export const connectionString =
  (...schemes: readonly string[]) =>
  (text: string): string => {
    const [, scheme = ''] = /^([a-z0-9+]+):\/\/[^\s/]+/.exec(text) ?? [];
    if (!schemes.includes(scheme)) throw new InvalidValue();
    return text;
  };

/** The name before the first dash of header names such as `X-Service-Event`. */
export function headerPrefix(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]{0,30}$/.test(text)) throw new InvalidValue();
  return text;
}

/** `length` bytes in base64, with or without padding. */
export const base64Value =
  (length: number) =>
  (text: string): Buffer => {
    const value = Buffer.from(text, 'base64');
    if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || value.length !== length) throw new InvalidValue();
    return value;
  };

export const unspacedText =
  (min: number) =>
  (text: string): string => {
    if (text.length < min || /\s/.test(text)) throw new InvalidValue();
    return text;
  };

/** A JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidValue('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidValue('it is not a JSON object');
  return value as Record<string, unknown>;
}

/** `{"send":5000,"login":{"limit":50,"window":"5m"}}`: a number keeps the group's window. */
export const limitOverrides =
  (groups: readonly string[]) =>
  (text: string): LimitOverrides => {
    const limits: Record<string, Partial<Limit>> = {};
    for (const [group, value] of Object.entries(jsonObject(text))) {
      if (!groups.includes(group)) throw new InvalidValue(`unknown group '${group}'`);
      setOwnField(limits, group, parseLimitOverride(group, value));
    }
    return limits;
  };

function parseLimitOverride(group: string, value: unknown): Partial<Limit> {
  const { limit, window } = typeof value === 'object' && value !== null ? (value as { limit?: unknown; window?: unknown }) : { limit: value };
  if (!Number.isInteger(limit) || (limit as number) < 1) throw new InvalidValue(`the limit of '${group}' is not a whole number above 0`);
  if (window === undefined) return { limit: limit as number };
  const windowSeconds = typeof window === 'string' ? durationValue(window) / 1_000 : 0;
  if (!Number.isInteger(windowSeconds) || windowSeconds < 1) throw new InvalidValue(`the window of '${group}' is not a whole number of seconds`);
  return { limit: limit as number, windowSeconds };
}

/** `{"sms":["sandbox"]}`: the carriers of each channel in order of preference. */
export const routes =
  (channels: readonly string[], carriers: readonly string[]) =>
  (text: string): Readonly<Record<string, readonly string[]>> => {
    const table: Record<string, readonly string[]> = {};
    for (const [channel, names] of Object.entries(jsonObject(text))) {
      if (!channels.includes(channel)) throw new InvalidValue(`unknown channel '${channel}'`);
      if (!Array.isArray(names) || names.length === 0) throw new InvalidValue(`'${channel}' needs a list of carriers`);
      const unknown = names.find((name) => !carriers.includes(name));
      if (unknown !== undefined) throw new InvalidValue(`unknown carrier '${unknown}'`);
      setOwnField(table, channel, names as string[]);
    }
    return table;
  };

/** `{"messages/dispatch":{"2":50}}`: to-dos a second of each account, by process and priority. */
export function processRates(text: string): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const rates: Record<string, Record<string, number>> = {};
  for (const [process, byPriority] of Object.entries(jsonObject(text))) {
    if (typeof byPriority !== 'object' || byPriority === null) throw new InvalidValue(`'${process}' needs rates by priority`);
    const wrong = Object.entries(byPriority).find(([priority, rate]) => !/^[012]$/.test(priority) || typeof rate !== 'number' || !(rate > 0));
    if (wrong) throw new InvalidValue(`'${process}' has an invalid rate for the priority '${wrong[0]}'`);
    setOwnField(rates, process, byPriority as Record<string, number>);
  }
  return rates;
}
