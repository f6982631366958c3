try { require('fs').writeFileSync(process.env.ROOM + '/world/left-behind', ''); console.log('harm: wrote'); } catch (error) { console.log(error.code); }
