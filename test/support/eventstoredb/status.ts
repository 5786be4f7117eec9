import { Metadata, type ServiceError } from '@grpc/grpc-js';
import type { NamedError } from './wire.js';

/** The failure of a call: status and metadata. */
export function statusError(code: number, details: string, named?: NamedError): ServiceError {
  const metadata = new Metadata();
  for (const [field, value] of Object.entries(named ?? {})) metadata.set(field, value);
  return Object.assign(new Error(details), { code, details, metadata });
}
