/** What secrets a text holds, in words; the rules are many and loaded when they are needed. */

export async function secretsIn(text: string): Promise<string | null> {
  const { describeSecrets, findSecrets } = await import('../../base/secrets/secrets.ts');
  const findings = await findSecrets(text);
  return findings.length === 0 ? null : describeSecrets(findings);
}
