import Type from 'typebox';
import { anyRecord, list, named, oneOf, optional, text } from '../../domain/kernel/schema.js';
import { type ErrorCode, errorTable } from '../http/errors.js';
import { problemDetails, truncated } from '../http/shared-schemas.js';

const codes = Object.keys(errorTable) as ErrorCode[];
const code = named('ErrorCode', Type.Unsafe<ErrorCode>({ ...oneOf(...codes), description: 'Stable. New codes may be added.' }));
const common = {
  error: Type.String({ description: 'Equal to `code`, except on 429, where it is `Rate limit exceeded`.' }),
  code,
  message: Type.String({ description: 'For people. May change.' }),
  request_id: text,
};

export const fieldError = named(
  'FieldError',
  Type.Object({ field: Type.String({ description: 'Path of the field: `messages[3].to`.' }), code: text, message: text, ...problemDetails }),
);

/** The body of every error except those that list invalid fields. */
export const errorSchema = named(
  'Error',
  Type.Object({
    ...common,
    limit: optional(Type.Integer()),
    window: optional(Type.String({ description: 'Length of the window of a rate limit, in words.' })),
    retry_after: optional(Type.Integer({ description: 'Seconds.' })),
    required_scope: optional(text),
    scopes: optional(Type.Array(Type.String())),
    resource: optional(text),
    id: optional(Type.String()),
    limit_bytes: optional(Type.Integer()),
    current: optional(Type.String()),
    allowed: optional(Type.Array(Type.String())),
    expected: optional(Type.Integer()),
    actual: optional(Type.Integer()),
    received: optional(Type.Integer()),
    used_by: optional(list(named('ResourceReference', anyRecord))),
  }),
);

/** The body of an error that lists all invalid fields or parameters. */
export const validationErrorSchema = named(
  'ValidationError',
  Type.Object({
    ...common,
    errors: list(fieldError),
    errors_truncated: optional(truncated),
  }),
);
