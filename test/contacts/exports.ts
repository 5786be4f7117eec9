/** What the rows of the files in `exports/` say, by hand: made-up people in the columns that each service documents. */
export interface ExportCase {
  readonly file: string;
  readonly service: string;
  /** By the name of a column: the field that it fills. */
  readonly fields: Readonly<Record<string, string>>;
  /** By the email of a row: `<kind>.<channel>` and what is said. A row that is not here says nothing that lowers. */
  readonly lowers: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const names = { 'First Name': 'first_name', 'Last Name': 'last_name' };

export const exportCases: readonly ExportCase[] = [
  {
    file: 'mailchimp-subscribed.csv',
    service: 'Mailchimp',
    fields: { 'Email Address': 'email', ...names, 'Phone Number': 'phone', TIMEZONE: 'timezone', TAGS: 'tags' },
    lowers: {},
  },
  {
    file: 'mailchimp-unsubscribed.csv',
    service: 'Mailchimp',
    fields: { 'Email Address': 'email', ...names, TAGS: 'tags' },
    lowers: {
      'cy@mailchimp.example': { 'consent.email': 'unsubscribed at 2023-05-01T10:00:00.000Z' },
      'di@mailchimp.example': { 'consent.email': 'complained' },
    },
  },
  {
    file: 'mailchimp-cleaned.csv',
    service: 'Mailchimp',
    fields: { 'Email Address': 'email', ...names, TAGS: 'tags' },
    lowers: { 'eli@mailchimp.example': { 'suppression.email': 'bounced at 2023-04-02T10:00:00.000Z' } },
  },
  {
    file: 'hubspot.csv',
    service: 'HubSpot',
    fields: {
      ...names,
      Email: 'email',
      'Mobile Phone Number': 'phone',
      'Phone Number': 'phone',
      'Preferred language': 'locale',
      'Record ID': 'custom_fields.external_id',
    },
    lowers: {
      'gus@hubspot.example': { 'consent.email': 'unsubscribed' },
      'hal@hubspot.example': { 'consent.email': 'unsubscribed' },
      'ida@hubspot.example': { 'suppression.email': 'bounced' },
      'jo@hubspot.example': { 'consent.email': 'none' },
      'kim@hubspot.example': { 'suppression.email': 'manual' },
    },
  },
  {
    file: 'hubspot-unsubscribes.csv',
    service: 'HubSpot',
    fields: { Email: 'email' },
    lowers: {
      'lea@hubspot.example': { 'consent.email': 'unsubscribed' },
      'max@hubspot.example': { 'suppression.email': 'bounced' },
      'nia@hubspot.example': { 'suppression.email': 'complained' },
    },
  },
  {
    file: 'klaviyo.csv',
    service: 'Klaviyo',
    fields: { Email: 'email', ...names, 'Phone Number': 'phone', Locale: 'locale' },
    lowers: {
      'pia@klaviyo.example': { 'consent.email': 'unsubscribed', 'consent.sms': 'none' },
      'quin@klaviyo.example': { 'consent.email': 'none' },
      'rex@klaviyo.example': { 'suppression.email': 'bounced' },
      'sia@klaviyo.example': { 'suppression.email': 'complained', 'consent.sms': 'unsubscribed' },
    },
  },
  {
    file: 'customerio.csv',
    service: 'Customer.io',
    fields: {
      email: 'email',
      first_name: 'first_name',
      last_name: 'last_name',
      phone: 'phone',
      timezone: 'timezone',
      id: 'custom_fields.external_id',
    },
    lowers: { 'eve@customerio.example': { 'consent.all': 'unsubscribed' } },
  },
  {
    file: 'brevo.csv',
    service: 'Brevo',
    fields: {
      EMAIL: 'email',
      LASTNAME: 'last_name',
      FIRSTNAME: 'first_name',
      SMS: 'phone',
      WHATSAPP: 'phone',
      'CONTACT ID': 'custom_fields.external_id',
    },
    lowers: {
      'wyn@brevo.example': { 'suppression.email': 'manual' },
      'xia@brevo.example': { 'suppression.sms': 'manual', 'consent.email': 'pending' },
    },
  },
  {
    file: 'listmonk.csv',
    service: 'listmonk',
    fields: { email: 'email', name: 'name', uuid: 'custom_fields.external_id' },
    lowers: { 'zoe@listmonk.example': { 'consent.email': 'manual' }, 'abe@listmonk.example': { 'consent.email': 'none' } },
  },
  {
    file: 'shopify.csv',
    service: 'Shopify',
    fields: { ...names, Email: 'email', Phone: 'phone', 'Default Address Phone': 'phone', Tags: 'tags', 'Customer ID': 'custom_fields.external_id' },
    lowers: {
      'bea@shopify.example': { 'consent.sms': 'unsubscribed' },
      'cal@shopify.example': { 'consent.email': 'unsubscribed', 'consent.sms': 'unsubscribed' },
    },
  },
  {
    file: 'sendgrid.csv',
    service: 'SendGrid',
    fields: {
      EMAIL: 'email',
      FIRST_NAME: 'first_name',
      LAST_NAME: 'last_name',
      PHONE_NUMBER: 'phone',
      ALTERNATE_EMAILS: 'other_emails',
      EXTERNAL_ID: 'custom_fields.external_id',
    },
    lowers: {},
  },
  {
    file: 'braze.csv',
    service: 'Braze',
    fields: {
      email: 'email',
      first_name: 'first_name',
      last_name: 'last_name',
      phone: 'phone',
      language: 'locale',
      time_zone: 'timezone',
      external_id: 'custom_fields.external_id',
    },
    lowers: {
      'flo@braze.example': { 'consent.email': 'unsubscribed at 2023-05-01T10:00:00.000Z' },
      'gil@braze.example': { 'consent.push': 'unsubscribed' },
      'hua@braze.example': { 'suppression.email': 'complained at 2023-05-02T10:00:00.000Z' },
    },
  },
  {
    file: 'onesignal.csv',
    service: 'OneSignal',
    fields: { identifier: 'email', language: 'locale', external_user_id: 'custom_fields.external_id' },
    lowers: {
      'jan@onesignal.example': { 'consent.all': 'unsubscribed' },
      'kai@onesignal.example': { 'suppression.all': 'bounced' },
    },
  },
  {
    file: 'salesforce.csv',
    service: 'Salesforce',
    fields: { FirstName: 'first_name', LastName: 'last_name', Email: 'email', MobilePhone: 'phone', Phone: 'phone', Id: 'custom_fields.external_id' },
    lowers: {
      'mia@salesforce.example': { 'consent.email': 'unsubscribed', 'consent.sms': 'unsubscribed' },
      'ned@salesforce.example': { 'suppression.email': 'bounced at 2023-05-01T10:00:00.000Z' },
    },
  },
  {
    file: 'outlook.csv',
    service: 'Outlook',
    fields: {
      ...names,
      'Mobile Phone': 'phone',
      'Home Phone': 'phone',
      'Business Phone': 'phone',
      'E-mail Address': 'email',
      'E-mail 2 Address': 'other_emails',
      Categories: 'tags',
      Language: 'locale',
    },
    lowers: {},
  },
  {
    file: 'outlook-german.csv',
    service: 'Outlook',
    fields: {
      Vorname: 'first_name',
      Nachname: 'last_name',
      'Telefon (privat)': 'phone',
      Mobiltelefon: 'phone',
      'E-Mail-Adresse': 'email',
      Kategorien: 'tags',
    },
    lowers: {},
  },
  {
    file: 'google-contacts.csv',
    service: 'Google Contacts',
    fields: { ...names, 'E-mail 1 - Value': 'email', 'E-mail 2 - Value': 'other_emails', 'Phone 1 - Value': 'phone', Labels: 'tags' },
    lowers: {},
  },
];
