import type { ErrorCodes, StatusCodes } from '../runtime/codes.js';

/** Events by their type; a bounce by the types below. */
export const sesEvents: StatusCodes = {
  title: 'Amazon SES: types of events',
  page: 'https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html',
  statuses: {
    Send: { kind: 'accepted' },
    Bounce: { kind: 'bounced' },
    Complaint: { kind: 'complained' },
    Delivery: { kind: 'delivered' },
    Reject: { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    'Rendering Failure': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    DeliveryDelay: { kind: 'deferred' },
    Open: { kind: 'opened' },
    Click: { kind: 'clicked' },
    Subscription: { kind: 'unsubscribed' },
  },
};

/**
 * `bounceType` and `bounceSubType`. SES does not try again either way. Only a permanent bounce means that the address does not exist; the
 * subtypes of a transient one say whether the content was refused.
 */
export const sesBounces: StatusCodes = {
  title: 'Amazon SES: types and subtypes of bounces',
  page: 'https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html#bounce-types',
  statuses: {
    'Undetermined/Undetermined': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    'Permanent/General': { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    'Permanent/NoEmail': { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    'Permanent/Suppressed': { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    'Permanent/OnAccountSuppressionList': { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' },
    'Permanent/UnsubscribedRecipient': { kind: 'bounced', reason: 'unsubscribed', bounce_class: 'unknown', listed_as: 'opted_out' },
    'Transient/General': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'unknown' },
    'Transient/MailboxFull': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Transient/MessageTooLarge': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Transient/CustomTimeoutExceeded': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Transient/ContentRejected': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
    'Transient/AttachmentRejected': { kind: 'bounced', reason: 'carrier_rejected', bounce_class: 'soft' },
  },
};

/** The types of errors of `SendEmail`, and those common to AWS. */
export const sesErrors: ErrorCodes = {
  title: 'Amazon SES: types of errors',
  page: 'https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html',
  onlyAnswers: true,
  codes: {
    AccountSuspendedException: ['misconfigured', 'The account is suspended'],
    BadRequestException: ['rejected', 'The input is not valid'],
    LimitExceededException: ['transient', 'Too many instances of a resource'],
    MailFromDomainNotVerifiedException: ['misconfigured', 'The domain of the sender is not verified'],
    // Also the answer to a sender that is not verified: then it waits for the settings.
    MessageRejected: ['rejected', 'The content is refused'],
    NotFoundException: ['misconfigured', 'The resource does not exist'],
    SendingPausedException: ['misconfigured', 'Sending is paused for the account'],
    TooManyRequestsException: ['transient', 'Too many requests'],
    ConcurrentModificationException: ['transient', 'The resource is being changed'],
    ConflictException: ['transient', 'The resource is in use'],
    AccessDeniedException: ['misconfigured', 'Access denied'],
    ExpiredTokenException: ['misconfigured', 'The token is expired'],
    ExpiredToken: ['misconfigured', 'The token is expired'],
    IncompleteSignature: ['misconfigured', 'The signature does not conform'],
    IncompleteSignatureException: ['misconfigured', 'The signature does not conform'],
    InternalFailure: ['transient', 'Internal error'],
    InternalServerError: ['transient', 'Internal error'],
    InternalServiceError: ['transient', 'Internal error'],
    InvalidClientTokenId: ['misconfigured', 'The access key does not exist'],
    InvalidSignatureException: ['misconfigured', 'The signature is wrong'],
    SignatureDoesNotMatch: ['misconfigured', 'The signature is wrong'],
    MalformedHttpRequestException: ['rejected', 'The request is malformed'],
    MissingAuthenticationToken: ['misconfigured', 'The request is not signed'],
    MissingAuthenticationTokenException: ['misconfigured', 'The request is not signed'],
    NotAuthorized: ['misconfigured', 'Not permitted'],
    OptInRequired: ['misconfigured', 'The access key needs a subscription'],
    RequestAbortedException: ['transient', 'The request was aborted'],
    RequestEntityTooLargeException: ['rejected', 'The request is too large'],
    RequestExpired: ['transient', 'The request is too old'],
    RequestTimeoutException: ['transient', 'Timeout'],
    ServiceUnavailable: ['transient', 'The service is unavailable'],
    ServiceUnavailableException: ['transient', 'The service is unavailable'],
    Throttling: ['transient', 'Throttled'],
    ThrottlingException: ['transient', 'Throttled'],
    UnrecognizedClientException: ['misconfigured', 'The access key is wrong'],
    UnknownOperationException: ['misconfigured', 'The operation does not exist'],
    ValidationError: ['rejected', 'The input is not valid'],
    ValidationException: ['rejected', 'The input is not valid'],
  },
};
