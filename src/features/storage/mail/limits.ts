// The limits of mail. `docs/limits.md` lists them.

/** Of a mail as it travels, attachments in their encoding included. */
export const mailBytesMax = 10_000_000
/** Recipients of one mail, sent or received. */
export const recipientsMax = 50
export const inboxesPerAccountMax = 100
export const messagesPerInboxMax = 10_000
/** Texts and HTML of messages. Attachments count against the quota of files. */
export const bytesPerInboxMax = 200_000_000
export const bytesPerAccountMax = 1_000_000_000
/** Attachments of a mail that are stored; a mail with more is refused. */
export const attachmentsMax = 100
export const nestingMax = 50
export const headerBytesMax = 256_000
/** Each costs a pass over the mail. */
export const signaturesMax = 10
/** The newest ids of a conversation that a message refers to. */
export const referencesMax = 50
export const keptDays = 180
/** Connections of other servers at once, of all and of one address. */
export const connectionsMax = 50
export const connectionsPerAddressMax = 10
/** Of all mails that are being received, until they are stored. */
export const receivedAtOnceBytesMax = 100_000_000
/** Mails that wait for a thread to read them. */
export const waitingMailsMax = 100
/** How long a connection may be silent, and how long it may last. */
export const idleTimeoutMs = 60_000
export const connectionTimeoutMs = 600_000
/** For one question to a name server. */
export const questionTimeoutMs = 3_000
/** For all questions to name servers about one mail. */
export const authenticationTimeoutMs = 15_000
/** For connecting to the relay, and for each of its replies. */
export const relayReplyTimeoutMs = 20_000
/** For all that is said to the relay about one mail. It is less than the time of a call. */
export const relayTimeoutMs = 45_000
/** How long connections may go on while the gateway stops. A mail that is not acknowledged by then is sent again. */
export const closeTimeoutMs = 5_000
