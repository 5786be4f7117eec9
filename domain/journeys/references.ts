/** What definitions refer to. */
import { customKeyOf, fullFieldName } from '../segments/fields.js';
import { leavesOf } from '../segments/rule.js';
import type { JourneyDefinition } from './definition.js';
import type { ReferenceFields } from './nodes/descriptor.js';
import { descriptorOf } from './nodes.js';

/** Ids by what they are of, each once. */
export interface DefinitionReferences {
  readonly segments: readonly string[];
  readonly lists: readonly string[];
  readonly templates: readonly string[];
  /** Keys of custom fields. */
  readonly fields: readonly string[];
}

/** The segments, lists and templates that a definition names anywhere. */
export function definitionReferencesOf({ nodes, settings }: Pick<JourneyDefinition, 'nodes' | 'settings'>): DefinitionReferences {
  const ofNodes = nodes.map((node) => descriptorOf(node).references(node));
  const parts: ReferenceFields[] = [
    ...ofNodes.flatMap(({ rules = [] }) => rules).flatMap(leavesOf),
    ...ofNodes.flatMap(({ parts: named = [] }) => named),
    ...settings.exit_when,
    ...(settings.goal ? [settings.goal] : []),
  ];
  const each = (ids: readonly (string | undefined)[]): string[] => [...new Set(ids.filter((id) => id !== undefined))];
  return {
    segments: each(parts.map(({ segment_id }) => segment_id)),
    lists: each(parts.map(({ list_id }) => list_id)),
    templates: each(ofNodes.map(({ template }) => template)),
    fields: each([...parts.map(({ field }) => field), ...ofNodes.flatMap(({ fields = [] }) => fields)].map(customKey)),
  };
}

const customKey = (field: string | undefined): string | undefined =>
  field === undefined ? undefined : (customKeyOf(fullFieldName(field)) ?? undefined);
