// How long a credential is at least, so that it can be found in an answer that repeats it.

/** A shorter one is not redacted, because it would be found in texts that do not repeat it. */
export const secretCharactersMin = 6

export const isTooShort = (secret: string): boolean =>
  secret.split(':').every((part) => part.length < secretCharactersMin)

export const emptySecretSentence = 'It is empty. Send the key that the provider gave you.'

export const tooShortSentence = `It is too short: a key, or one of its parts between colons, must have at least ${secretCharactersMin} characters, so that an answer that repeats it can be redacted.`
