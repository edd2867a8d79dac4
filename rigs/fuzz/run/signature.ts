/** Faults of one cause have one signature: what differs from request to request is taken out of their words. */
export function signatureOf(fault: string): string {
  return fault
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'UID')
    .replaceAll(/\d+/g, '#')
    .slice(0, 160);
}
