import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

/** Readers of the deployment files in the repository. */

export const text = (path: string): string => readFileSync(path, 'utf8');

export interface ComposeService {
  readonly image?: string;
  readonly build?: unknown;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly stop_grace_period?: string;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
}

export interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly networks?: Readonly<Record<string, unknown>>;
}

export const compose = (path: string): Compose => parse(text(path), { merge: true }) as Compose;

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly configMapRef?: { readonly name: string }; readonly secretRef?: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly [probe: `${string}Probe`]: { readonly httpGet: { readonly path: string; readonly port: string } };
}

export interface PodSpec {
  readonly containers: readonly [Container];
  readonly enableServiceLinks?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumes: readonly { readonly name: string }[];
}

/** The fields of a Kubernetes object that the tests use. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly selector: unknown;
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
      readonly spec: PodSpec;
    };
  };
}

export const kubernetes = (path: string): KubernetesObject[] => parseAllDocuments(text(path)).map((document) => document.toJS() as KubernetesObject);

/** Values for placeholders and for variables of docker compose. */
export function resolveVariables(environment: Readonly<Record<string, string>>): Record<string, string> {
  const fill = (name: string, value: string): string => {
    if (name === 'HELIOGRAPH_MASTER_KEY') return Buffer.alloc(32, 7).toString('base64');
    return value
      .replace(/\$\{\w+:-([^}]*)\}/g, '$1')
      .replace(/\$\{\w+:\?[^}]*\}/g, '0123456789abcdef0123456789abcdef')
      .replace(/<[^<>]*>/g, '0123456789abcdef0123456789abcdef');
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(name, value)]));
}
