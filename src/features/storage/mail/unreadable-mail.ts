/** The mail cannot be stored, and sending it again does not help. */
export class UnreadableMail extends Error {}
