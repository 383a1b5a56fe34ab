// SPDX-License-Identifier: MIT
// The drawing as pixels: the free-standing SVG, painted.

/** `scale` pixels for each CSS pixel. */
export async function svgToPng(source: string, scale: number): Promise<Blob> {
  const image = new Image();
  // A data: address, since the page's policy allows no blob: images.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser gives no canvas to paint the image on.');
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) {
    throw new Error(
      `No PNG of ${canvas.width} x ${canvas.height} pixels could be made; try a smaller scale.`);
  }
  return blob;
}
