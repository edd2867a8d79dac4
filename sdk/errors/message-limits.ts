/**
 * How much a message shows of what a client sent. Characters, unless it says otherwise. Without these bounds a body of a megabyte decides how long its refusal
 * takes and how large it is.
 */
export const messageLimits = {
  /** Of one value. */
  value: 1024,
  /** Of a field's path, whose names may be a client's; a longer one is shortened in the middle. */
  path: 1000,
  /** Of one field error or cause. Messages of rules have up to 5 KiB. */
  fault: 8 * 1024,
  /** A validation stops after this many field errors. */
  foundFaults: 1000,
  /** Maximum faults in a message, and their characters; the first one is always included. */
  reportedFaults: 200,
  reportedText: 64 * 1024,
  /** Of the message of a Status, and of its causes in all. */
  status: 96 * 1024,
} as const;

/** Cuts a string to this many characters; `…` marks the cut. */
export function cutText(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
