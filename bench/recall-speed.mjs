export async function measureSpeed() {}
