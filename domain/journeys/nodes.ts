/** The nodes of a journey. Each kind is described once, in `nodes/`; what all kinds have in common follows from their descriptors. */
import { named, type TSchema, unionOf } from '../kernel/schema.js';
import { branchDescriptor } from './nodes/branch.js';
import { delayDescriptor } from './nodes/delay.js';
import type { DescriptorOfAny } from './nodes/descriptor.js';
import { digestDescriptor } from './nodes/digest.js';
import { exitDescriptor } from './nodes/exit.js';
import { holdoutDescriptor } from './nodes/holdout.js';
import { listDescriptor } from './nodes/list.js';
import { sendDescriptor } from './nodes/send.js';
import { triggerDescriptor } from './nodes/trigger.js';
import { updateContactDescriptor } from './nodes/update-contact.js';
import { waitDescriptor } from './nodes/wait.js';
import { webhookDescriptor } from './nodes/webhook.js';

export const MAX_NODES = 200;

/** In the order in which the documentation and problems name them. */
const descriptors = [
  triggerDescriptor,
  delayDescriptor,
  branchDescriptor,
  sendDescriptor,
  waitDescriptor,
  digestDescriptor,
  exitDescriptor,
  updateContactDescriptor,
  listDescriptor,
  webhookDescriptor,
  holdoutDescriptor,
] as const;
type Descriptors = (typeof descriptors)[number];

export type NodeKind = Descriptors['kind'];
/** A node as it is stored, with its defaults. */
export type JourneyNode = ReturnType<Descriptors['complete']>;
export type NodeOf<K extends NodeKind> = Extract<JourneyNode, { kind: K }>;
/** A valid node as a request has it. */
export type GivenNode = Parameters<Descriptors['complete']>[0];

/** The descriptor of any kind. */
export type AnyDescriptor = DescriptorOfAny<NodeKind, GivenNode, JourneyNode>;
export const nodeDescriptors: readonly AnyDescriptor[] = descriptors;
export const nodeKinds: readonly NodeKind[] = descriptors.map(({ kind }) => kind);

const byKind: ReadonlyMap<string, AnyDescriptor> = new Map(nodeDescriptors.map((one) => [one.kind, one]));

/** The descriptor of a kind; undefined where there is no such kind. */
export const findDescriptor = (kind: unknown): AnyDescriptor | undefined => (typeof kind === 'string' ? byKind.get(kind) : undefined);

/** The descriptor of a node. */
export function descriptorOf({ kind }: { readonly kind: NodeKind }): AnyDescriptor {
  const found = byKind.get(kind);
  if (!found) throw new Error(`there is no kind of nodes ${kind}`);
  return found;
}

const schemasOf = ({ form }: AnyDescriptor): readonly TSchema[] => ('modes' in form ? Object.values(form.modes) : [form.schema]);
const ofManyForms = nodeDescriptors.filter(({ form }) => 'modes' in form);
const ofOneForm = nodeDescriptors.filter(({ form }) => 'schema' in form);

/** Every form of a node, for the documentation. `validate.ts` validates: its problems name the field that is wrong. */
export const nodeSchema = named('JourneyNode', unionOf(...ofManyForms.flatMap(schemasOf), ...ofOneForm.flatMap(schemasOf)));
