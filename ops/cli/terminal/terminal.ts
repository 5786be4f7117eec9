import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Help } from 'commander';
import { ownField } from '../../../domain/kernel/own-fields.js';

export type TextStyle = Parameters<typeof styleText>[0];

export const isTerminal = (stream: Writable): boolean => (stream as { isTTY?: boolean }).isTTY === true;

/** The text in a style if the stream is a terminal that has colors, and NO_COLOR is not set. Otherwise the text. */
export const paint = (stream: Writable, style: TextStyle, text: string): string => (isTerminal(stream) ? styleText(style, text, { stream }) : text);

const STATUS_STYLES: Readonly<Record<string, TextStyle>> = {
  completed: 'green',
  live: 'green',
  ok: 'green',
  configured: 'green',
  running: 'cyan',
  queued: 'cyan',
  rebuilding: 'cyan',
  canceling: 'yellow',
  canceled: 'yellow',
  failed: 'red',
  halted: 'red',
};

/** A status in the style of its first word. */
export function paintStatus(stream: Writable, text: string): string {
  const style = ownField(STATUS_STYLES, /^\w+/.exec(text)?.[0] ?? '');
  return style === undefined ? text : paint(stream, style, text);
}

const styled = (style: TextStyle) => (text: string) => styleText(style, text, { validateStream: false });

/** Of the texts of --help. Commander removes them where there are no colors. */
export const helpStyles: Partial<Help> = {
  styleTitle: styled('bold'),
  styleOptionTerm: styled('cyan'),
  styleSubcommandTerm: styled('cyan'),
  styleArgumentTerm: styled('cyan'),
};
