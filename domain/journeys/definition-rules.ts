/** The rules over contacts in the nodes of a definition. */
import type { Rule } from '../segments/rule.js';
import type { JourneyNode } from './nodes.js';

/** A node with each of its rules changed. */
export function withNodeRules(node: JourneyNode, change: (rule: Rule) => Rule): JourneyNode {
  switch (node.kind) {
    case 'trigger':
      return node.filter ? { ...node, filter: change(node.filter) } : node;
    case 'branch':
      return node.mode === 'rule' ? { ...node, branches: node.branches.map((one) => ({ ...one, rule: change(one.rule) })) } : node;
    case 'wait':
      return { ...node, for: node.for.map((one) => (one.rule ? { ...one, rule: change(one.rule) } : one)) };
    default:
      return node;
  }
}
