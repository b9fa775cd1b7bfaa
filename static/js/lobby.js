// @ts-check
export async function startLobby() {}
