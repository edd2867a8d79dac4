import type {NamingProfile, ObjectMeta} from '../../../sdk/index.js';

/** The class of a volume or claim: an annotation that is older than the field takes precedence. */
export function storageClassName(
  metadata: ObjectMeta,
  spec: {storageClassName?: string | null} | undefined,
  naming: NamingProfile,
): string {
  return metadata.annotations?.[classAnnotation(naming)] ?? spec?.storageClassName ?? '';
}

/** The annotation's key. */
export function classAnnotation(naming: NamingProfile): string {
  return naming.key('volume.beta.orch/storage-class');
}
