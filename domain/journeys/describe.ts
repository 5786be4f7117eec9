/** Nodes and their ways in English. */

import { describedExits } from './nodes/ways.js';
import { descriptorOf, type JourneyNode } from './nodes.js';
import type { JourneyNames } from './texts.js';

/** What a node does, in one sentence without a full stop: `Wait 1 hour`, `Send an email with the template “Cart”`. */
export const describeNode = (node: JourneyNode, names: JourneyNames = {}): string => descriptorOf(node).describe(node, names);

/** What a way out of a node is for: `if contacts are in the segment “VIP”`, `50 %`. Null for the only way out of a node. */
export function describeExit(node: JourneyNode, key: string, names: JourneyNames = {}): string | null {
  const exit = describedExits(node, descriptorOf(node).ways).find((one) => one.key === key);
  return exit ? exit.text(names) : null;
}
