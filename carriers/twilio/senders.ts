/** Twilio takes some further characters: https://www.twilio.com/docs/glossary/what-alphanumeric-sender-id. */
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11}$/;
/** A messaging service, which chooses the sender. */
const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/;

export const isMessagingService = (sender: string): boolean => MESSAGING_SERVICE.test(sender);

export const twilioSenders = { sms: [NAME, MESSAGING_SERVICE], whatsapp: [MESSAGING_SERVICE], rcs: [MESSAGING_SERVICE] } as const;
