import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { PartialEvent } from '../../domain/templates/partial.js';
import type { TemplateEvent } from '../../domain/templates/template.js';
import type { Projection, View } from '../runtime/projection.js';

/** A template without its content. */
export interface TemplateDoc extends Doc {
  readonly account: string;
  readonly name: string;
  readonly channel: ChannelName;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted: boolean;
  /** Time and id: the order of creation. */
  readonly sort: string;
}

/** A version of a template without its content. */
export interface VersionDoc extends Doc {
  readonly template_id: string;
  readonly version: number;
  readonly name: string;
  readonly created_at: string;
  /** The version as a text of fixed length. */
  readonly sort: string;
}

/** A partial without its source. */
export interface PartialDoc extends Doc {
  readonly account: string;
  readonly key: string;
  readonly version: number;
  readonly updated_at: string;
  /** The key. */
  readonly sort: string;
}

type HandledEvent = TemplateEvent | PartialEvent;

const TEMPLATES = 'templates';
const VERSIONS = 'versions';
const PARTIALS = 'partials';

const partialId = (account: string, key: string): string => `${account}/${key}`;
const versionText = (version: number): string => String(version).padStart(8, '0');
const versionId = (template_id: string, version: number): string => `${template_id}/${versionText(version)}`;

/** Templates, their versions, and partials, as lists show them. Contents are read from the log. */
export const templates: Projection<HandledEvent> = {
  name: 'templates',
  version: 1,
  handles: ['TemplateCreated', 'TemplateUpdated', 'TemplateDeleted', 'TemplatePartialStored', 'TemplatePartialDeleted'],
  collections: {
    [TEMPLATES]: {
      indexes: [
        ['account', 'deleted', 'sort'],
        ['account', 'deleted', 'channel', 'sort'],
      ],
    },
    [VERSIONS]: { indexes: [['template_id', 'sort']] },
    [PARTIALS]: { indexes: [['account', 'sort']] },
  },
  reads: ({ event, meta: { account } }) => {
    if ('key' in event.data) return [{ collection: PARTIALS, id: partialId(account, event.data.key) }];
    const { template_id } = event.data;
    const version = event.type === 'TemplateCreated' ? 1 : 'version' in event.data ? event.data.version : null;
    return [{ collection: TEMPLATES, id: template_id }, ...(version === null ? [] : [{ collection: VERSIONS, id: versionId(template_id, version) }])];
  },
  apply: ({ event, meta: { account } }, view) => {
    switch (event.type) {
      case 'TemplatePartialStored': {
        const { key, version, at } = event.data;
        const doc: PartialDoc = { id: partialId(account, key), account, key, version, updated_at: at, sort: key };
        view.put(PARTIALS, doc);
        break;
      }
      case 'TemplatePartialDeleted':
        view.remove(PARTIALS, partialId(account, event.data.key));
        break;
      default:
        applyTemplate(event, account, view);
    }
  },
};

function applyTemplate(event: TemplateEvent, account: string, view: View): void {
  const { template_id: id, at } = event.data;
  if (event.type === 'TemplateCreated') {
    const { name, channel } = event.data;
    const doc: TemplateDoc = { id, account, name, channel, version: 1, created_at: at, updated_at: at, deleted: false, sort: `${at}/${id}` };
    view.put(TEMPLATES, doc);
    putVersion(view, id, 1, name, at);
    return;
  }
  const doc = view.get<TemplateDoc>(TEMPLATES, id);
  if (!doc) return;
  if (event.type === 'TemplateDeleted') {
    view.put(TEMPLATES, { ...doc, deleted: true, updated_at: at });
    return;
  }
  const { version, name } = event.data;
  view.put(TEMPLATES, { ...doc, name, version, updated_at: at });
  putVersion(view, id, version, name, at);
}

function putVersion(view: View, template_id: string, version: number, name: string, created_at: string): void {
  const doc: VersionDoc = { id: versionId(template_id, version), template_id, version, name, created_at, sort: versionText(version) };
  view.put(VERSIONS, doc);
}
